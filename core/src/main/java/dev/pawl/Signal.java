package dev.pawl;

import java.util.Objects;

/**
 * Something that a job waits for and that somebody else tells it: an approval, a payment, an answer. Declare one constant for each
 * and use it on both sides, {@link RunSteps#await} in the handler and {@link JobQueue#signal} elsewhere. Immutable.
 *
 * @param name unlike that of any other signal to the same job: 1 to 200 characters
 * @param type of the value that comes with it
 * @param <T> the value
 */
public record Signal<T>(String name, TypeToken<T> type) {
    /**
     * @throws InvalidJobException if the name is not valid
     */
    public Signal {
        Names.checkKey("the name of the signal", name);
        Objects.requireNonNull(type, "type");
    }

    /**
     * @param name unlike that of any other signal to the same job: 1 to 200 characters
     * @param type of the value that comes with it; {@code Void.class} if none does
     * @param <T> the value
     * @return the signal
     * @throws InvalidJobException if the name is not valid
     */
    public static <T> Signal<T> of(String name, Class<T> type) {
        return new Signal<>(name, TypeToken.of(type));
    }
}
