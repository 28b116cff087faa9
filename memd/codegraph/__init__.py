"""The code graph: source files -> symbols and references (worker), references -> calls, imports, inherits."""
