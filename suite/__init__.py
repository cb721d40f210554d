"""How well the tests test: a mutation run of three packages, and the coverage of the whole suite.

A mutant is the code with one small change, for example `<` instead of `<=`. If all tests pass on a mutant, either the change makes
no difference or a test is missing. Cosmic Ray makes the mutants; `docs/reliability.md` has the counts.

    make mutation            run the mutants that were drawn and have no outcome yet
    make mutation AGAIN=1    run the survivors again, after adding tests
    make coverage            the tests with coverage
"""
