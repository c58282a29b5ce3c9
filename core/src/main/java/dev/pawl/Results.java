package dev.pawl;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;

/** Decodes results of jobs. */
final class Results {
    private Results() {}

    /**
     * Decodes a result. Errors of the codec speak of a payload, so they are reworded to name the result and its job.
     */
    static <R> R decode(PayloadCodec codec, long job, String text, TypeToken<R> type) {
        try {
            return codec.decode(text, type);
        } catch (InvalidJobException e) {
            String why = String.valueOf(e.getMessage()).replaceFirst("^the payload", "it");
            throw new InvalidJobException("the result of job " + job + " does not fit " + type + ": " + why, e);
        }
    }
}
