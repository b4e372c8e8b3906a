return require "parts.circle"
