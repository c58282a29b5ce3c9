package dev.pawl.codec;

import dev.pawl.InvalidJobException;
import java.util.function.Supplier;

/** Calls a codec whose errors may quote encrypted data, and tells of them without their messages. */
final class Redaction {
    /** Of causes, which may form a circle. */
    private static final int DEEPEST = 20;

    private Redaction() {}

    /**
     * Calls the codec.
     *
     * @param failure what to say if it fails
     * @throws InvalidJobException if it fails, with the class of the error and the place, but not its message
     */
    static <T> T call(String failure, Supplier<T> codec) {
        try {
            return codec.get();
        } catch (VirtualMachineError e) { // which is not about the payload
            throw e;
        } catch (Throwable e) {
            if (e instanceof InvalidJobException known && known.getCause() instanceof RedactedException) {
                throw known; // by another codec that encrypts
            }
            throw new InvalidJobException(failure + ": " + place(e), new RedactedException(e));
        }
    }

    /** {@return which error it is, and where, as far as classes and their members tell} */
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

    /** By name: neither Jackson need be there. */
    private static boolean isA(Throwable error, String name) {
        for (Class<?> type = error.getClass(); type != Throwable.class; type = type.getSuperclass()) {
            if (type.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
