"""One folder a language: what its query finds, what that means, how its names and modules resolve."""
