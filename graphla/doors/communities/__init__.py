"""Ways in for users of scanpy and graspologic: communities with the arguments and answers that they know."""
