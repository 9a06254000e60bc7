// Nothing: this file is the owner of the precompiled headers that the tests share.
