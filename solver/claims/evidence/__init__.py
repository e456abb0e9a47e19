"""Going through the evidence of verdicts again, and adding certificates to it."""
