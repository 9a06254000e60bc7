// Empty: owns the precompiled headers shared by the tests.
