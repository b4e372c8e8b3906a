-- A module that requires itself by way of another.
return require "parts.circle2"
