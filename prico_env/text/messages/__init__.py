"""The languages that the game speaks: a file here is one, named by the code that editions give."""
