"""`python -m linkwatch_client`: the same as the command `linkwatch`."""

from linkwatch_client.main import main

main()
