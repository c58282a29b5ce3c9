package dev.pawl.cli;

/**
 * A command that another module adds to the program; found by {@link java.util.ServiceLoader}. Used by the lab, which
 * depends on servers and other libraries that a worker does not need.
 */
public interface Plugin {
    /** {@return a new picocli command} */
    Object command();
}
