-- A file that random calls of dofile, loadfile and require may run.
return { name = "plain" }
