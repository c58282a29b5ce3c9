package dev.pawl.spring;

import org.jspecify.annotations.Nullable;

/**
 * The application's beans or properties cannot be used: a {@code DataSource} is missing, a method cannot handle jobs, two
 * properties contradict each other. Fails the start. Spring Boot reports the two parts of its message under
 * <i>Description</i> and <i>Action</i>.
 */
public final class ConfigurationException extends IllegalStateException {
    private static final long serialVersionUID = 1L;
    private static final String BETWEEN = ": ";

    private final String problem;
    private final String remedy;

    /**
     * @param problem what was found
     * @param remedy what to do
     */
    public ConfigurationException(String problem, String remedy) {
        this(problem, remedy, null);
    }

    private ConfigurationException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem + BETWEEN + remedy, cause);
        this.problem = problem;
        this.remedy = remedy;
    }

    /**
     * Takes the parts from the message of another exception, which ends with a colon and the remedy.
     *
     * @param cause the other exception
     * @return the cause itself if it is of this type, and otherwise a new exception with its message
     */
    public static ConfigurationException of(RuntimeException cause) {
        if (cause instanceof ConfigurationException known) {
            return known;
        }
        String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        int end = message.lastIndexOf(BETWEEN);
        return end < 0
                ? new ConfigurationException(message, "correct this", cause)
                : new ConfigurationException(
                        message.substring(0, end), message.substring(end + BETWEEN.length()), cause);
    }

    /** {@return what was found} */
    public String problem() {
        return problem;
    }

    /** {@return what to do} */
    public String remedy() {
        return remedy;
    }
}
