"""Whatever a file, a store or a command line holds, votewise answers or refuses it in a sentence. `make fuzz` tries to show otherwise.

A case is a target and a number: `votewise.counter` makes the same files from both, everywhere. Workers run cases with a limit on memory
and time, so that a process that dies or hangs names its case. `docs/reliability.md` has the counts.

    make fuzz                                 go on until a million cases are done
    make fuzz CASE=arrays:1234                make this case again and show what happens
    make fuzz CASE=fuzz-store/findings/a.zip  the same with the files that were kept
    make kills                                kill `votewise fit` and `votewise reproduce` a thousand times
"""
