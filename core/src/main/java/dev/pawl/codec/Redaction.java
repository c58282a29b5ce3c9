package dev.pawl.codec;

import dev.pawl.api.InvalidJobException;
import java.util.function.Supplier;

/** Calls a codec and reports its errors without their messages, which may quote encrypted data. */
final class Redaction {
    /** Bounds the chain of causes, which may be circular. */
    private static final int DEEPEST = 20;

    private Redaction() {}

    /**
     * Calls the codec.
     *
     * @param failure the message if it fails
     * @throws InvalidJobException if it fails, with the class of the error and its place, but not its message
     */
    static <T> T call(String failure, Supplier<T> codec) {
        try {
            return codec.get();
        } catch (VirtualMachineError e) { // not about the payload
            throw e;
        } catch (Throwable e) {
            if (e instanceof InvalidJobException known && known.getCause() instanceof RedactedException) {
                throw known; // from another encrypting codec
            }
            throw new InvalidJobException(failure + ": " + place(e), new RedactedException(e));
        }
    }

    /** {@return the class of an error and its place, by names of classes and members} */
    private static String place(Throwable error) {
        Throwable root = error;
        for (int depth = 0; depth < DEEPEST; depth++) {
            if (isA(root, "tools.jackson.core.JacksonException")) {
                return JacksonPlace.of(root);
            }
            if (isA(root, "com.fasterxml.jackson.core.JsonProcessingException")) {
                return Jackson2Place.of(root);
            }
            if (root.getCause() == null) {
                break;
            }
            root = root.getCause();
        }
        return root.getClass().getName();
    }

    /** Compares names, because either Jackson may be absent. */
    private static boolean isA(Throwable error, String name) {
        for (Class<?> type = error.getClass(); type != Throwable.class; type = type.getSuperclass()) {
            if (type.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
