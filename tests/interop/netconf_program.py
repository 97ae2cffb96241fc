"""Runs the battery with one or more clients. Reads the site's settings as JSON from stdin."""

import json
import sys

import netconf_battery


def main():
    settings = json.load(sys.stdin)
    for name in sys.argv[1:]:
        netconf_battery.run(name, settings)


if __name__ == "__main__":
    main()
