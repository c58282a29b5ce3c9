package dev.pawl.servers;

/** What a commit survives on a server of our own. */
public enum Durability {
    /** Loss of power, as by the server's default: each commit waits for the disk. For measuring. */
    DISK,
    /** {@code kill -9} of the server, because the system has been given the data, but not loss of power. For tests. */
    PROCESS
}
