"""Facts derived from the text of the rules: movements between lists, common properties of deals."""
