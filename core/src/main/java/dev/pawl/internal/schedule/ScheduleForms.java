package dev.pawl.internal.schedule;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.codec.EncryptedCodec;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.store.Declaration;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Computes the forms of schedules. A form is a fingerprint of a schedule as a program declares it, and serves to compare declarations. Its
 * first part covers the job and the times, and its second part the payload. The second part is empty if this program lacks the key of an
 * encrypted payload, and so cannot compare it.
 */
public final class ScheduleForms {
    private static final int SHORT = 12;

    private final UnaryOperator<String> identity;

    /** @param identity the part of a payload that is compared, see {@link dev.pawl.api.PayloadCodec#identity} */
    ScheduleForms(UnaryOperator<String> identity) {
        this.identity = identity;
    }

    String of(Declaration schedule) {
        return form(
                schedule.job(),
                schedule.recurrence().toString(),
                schedule.missed().most(),
                ScheduleRow.word(schedule.overlap()),
                schedule.excluded() != null);
    }

    /** {@return the form in which the schedule was declared, without later changes by users} */
    String of(ScheduleRow row) {
        return form(
                row.job(),
                row.declared() == null ? row.when() : row.declared(),
                row.missed().most(),
                ScheduleRow.word(row.overlap()),
                row.hasLocalExclusions());
    }

    private String form(JobRequest job, String when, int missed, String overlap, boolean localExclusions) {
        EnqueueOptions options = job.options();
        return digest(JsonStrings.write(List.of(
                        job.kind(),
                        options.queue(),
                        Integer.toString(options.priority()),
                        Integer.toString(options.maxAttempts()),
                        options.tags().toString(),
                        new TreeMap<>(options.headers()).toString(),
                        String.valueOf(options.key()),
                        Integer.toString(options.cost()),
                        String.valueOf(JobColumns.expiresIn(options)),
                        when,
                        Integer.toString(missed),
                        overlap,
                        Boolean.toString(localExclusions))))
                + "." + payload(job.payload());
    }

    private String payload(String text) {
        try {
            String same = identity.apply(text);
            return same.equals(text) && EncryptedCodec.isEncrypted(text) ? "" : digest(same);
        } catch (InvalidJobException e) { // the payload is encrypted with a key that this program does not have
            return "";
        }
    }

    /** {@return whether two forms are the same, as far as this program can tell} */
    static boolean same(String one, String other) {
        if (one.equals(other)) {
            return true;
        }
        return (one.endsWith(".") || other.endsWith("."))
                && one.substring(0, one.indexOf('.')).equals(other.substring(0, other.indexOf('.')));
    }

    /** {@return the forms of these schedules by name, for the worker's row} */
    Map<String, String> of(List<Declaration> schedules) {
        Map<String, String> forms = new HashMap<>();
        schedules.forEach(schedule -> forms.put(schedule.name(), of(schedule)));
        return forms;
    }

    private static String digest(String text) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            byte[] all = sha.digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(all, 0, SHORT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
