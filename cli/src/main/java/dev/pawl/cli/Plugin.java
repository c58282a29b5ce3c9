package dev.pawl.cli;

/**
 * A command that another module adds to the program; found by {@link java.util.ServiceLoader}. The lab does so: it brings
 * servers and other libraries that a worker does not need.
 */
public interface Plugin {
    /** {@return a command of picocli, new each time} */
    Object command();
}
