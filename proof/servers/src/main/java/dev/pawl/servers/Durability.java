package dev.pawl.servers;

/** The durability of commits on a server started by this library. */
public enum Durability {
    /** Survives loss of power, like the server's default: each commit waits for the disk. For measurements. */
    DISK,
    /** Survives {@code kill -9} of the server, because the operating system has the data, but not loss of power. For tests. */
    PROCESS
}
