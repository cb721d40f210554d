"""Fuzzing: votewise must accept or reject any file, store or command line with one sentence. `make fuzz` searches for counterexamples.

A case is a target and a number, from which `votewise.counter` generates the same files on every machine. Workers run cases with limits on memory
and time, so that a process that dies or hangs identifies its case. `docs/reliability.md` has the counts.

    make fuzz                                 continue until a million cases are done
    make fuzz CASE=arrays:1234                run this case again and show the result
    make fuzz CASE=fuzz-store/findings/a.zip  run the stored files of a finding
    make kills                                kill `votewise fit` and `votewise reproduce` a thousand times
"""
