"""`distify verify`: runs a training program on Horovod workers and proves that they are in step."""
