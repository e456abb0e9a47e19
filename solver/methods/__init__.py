"""Ways to find evidence for a claim, each by itself and in the order that saves time."""
