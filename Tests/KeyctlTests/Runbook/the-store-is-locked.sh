# As a reboot leaves a store that a person unlocks, and as somebody leaves one that he stopped.
keyctl lock --store srv/waxwing/phone --restart
keyctl lock
