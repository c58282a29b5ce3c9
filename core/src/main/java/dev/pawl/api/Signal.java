package dev.pawl.api;

import java.util.Objects;

/**
 * A signal that a job waits for and another process sends: an approval, a payment, an answer. Declare one constant for
 * each and use it both to wait ({@link RunSteps#await}) and to send ({@link dev.pawl.JobQueue#signal}). Immutable.
 *
 * @param name unique among the signals of a job: 1 to 200 characters
 * @param type of the value that it carries
 * @param <T> the value
 */
public record Signal<T>(String name, TypeToken<T> type) {
    /**
     * @throws IllegalArgumentException if the name is not valid, or the type is {@code Void}
     */
    public Signal {
        Names.checkKey("the name of the signal", name);
        if (Objects.requireNonNull(type, "type").type() == Void.class) {
            throw new IllegalArgumentException("the signal " + name + " needs a value, such as a Boolean");
        }
    }

    /**
     * Returns a signal whose value has a type without parameters.
     *
     * @param name unique among the signals of a job: 1 to 200 characters
     * @param type of the value that it carries
     * @param <T> the value
     * @return the signal
     * @throws IllegalArgumentException if the name is not valid, or the type is {@code Void}
     */
    public static <T> Signal<T> of(String name, Class<T> type) {
        return new Signal<>(name, TypeToken.of(type));
    }
}
