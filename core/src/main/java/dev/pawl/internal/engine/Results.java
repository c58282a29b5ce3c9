package dev.pawl.internal.engine;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import dev.pawl.internal.store.StoredText;
import java.nio.charset.StandardCharsets;

/**
 * Encodes results of handlers, up to a maximum size.
 *
 * @param codec of payloads
 * @param mostBytes of UTF-8
 */
record Results(PayloadCodec codec, int mostBytes) {
    static final int MAX_BYTES = 64 << 10;

    String encoded(Job job, Object value) {
        Object given = value; // a program without null checks may pass null
        if (given == null) {
            throw new InvalidJobException("the result of job " + job.id() + " is null: leave it out");
        }
        String text = encoded(value.getClass(), value);
        // A character takes one to three bytes, so most results need not be counted.
        if (text.length() > mostBytes / 3) {
            int length = text.getBytes(StandardCharsets.UTF_8).length;
            if (length > mostBytes) {
                throw new InvalidJobException(
                        "the result of job " + job.id() + " of kind '" + job.kind() + "' has "
                                + length + " bytes, the maximum is " + mostBytes
                                + ": store the data elsewhere and give back a reference, or raise maxResultBytes of the worker");
            }
        }
        StoredText.require("the result of job " + job.id() + " of kind '" + job.kind() + "'", text);
        return text;
    }

    private <T> String encoded(Class<T> type, Object value) {
        return codec.encode(type.cast(value), TypeToken.of(type));
    }
}
