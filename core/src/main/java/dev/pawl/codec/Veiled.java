package dev.pawl.codec;

import dev.pawl.InvalidJobException;
import java.util.function.Supplier;

/**
 * An error that may quote what is encrypted, without its text: its class, its stack trace and its causes remain.
 */
final class Veiled extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** Of causes, which may be a circle. */
    private static final int DEEPEST = 20;

    private Veiled(Throwable error, int depth) {
        super(
                error.getClass().getName() + ": its text is hidden, because it may quote what is encrypted",
                error.getCause() == null || depth == DEEPEST ? null : new Veiled(error.getCause(), depth + 1));
        setStackTrace(error.getStackTrace());
    }

    /**
     * Calls a codec whose errors may quote what it reads or writes.
     *
     * @param what fails if it fails
     * @throws InvalidJobException if it fails, without the text of the error
     */
    static <T> T call(String what, Supplier<T> codec) {
        try {
            return codec.get();
        } catch (VirtualMachineError e) { // which is not about the payload
            throw e;
        } catch (Throwable e) {
            if (e instanceof InvalidJobException known && known.getCause() instanceof Veiled) {
                throw known; // by another codec that encrypts
            }
            throw new InvalidJobException(what + ": " + place(e), new Veiled(e, 0));
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
