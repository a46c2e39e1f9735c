"""What is true: values only, no input or output, no clock."""
