"""What every layer uses: errors, arguments that are checked, settings, types of arguments, memory."""
