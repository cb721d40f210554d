"""Papers that the library reproduces: one folder for each."""
