#!/usr/bin/env palfrey
return "marked", select("#", ...)
