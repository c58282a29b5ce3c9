package dev.pawl.internal.schedule;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.codec.EncryptedCodec;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.store.Declaration;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Fingerprints of schedules as programs declare them, to compare forms. The first part covers the job and the times; the second the
 * payload, and is empty if this program cannot compare payloads because it lacks the key of an encrypted one.
 */
public final class ScheduleForms {
    /** The form of a schedule of which an older program has written only the name. */
    static final String UNKNOWN = "";

    /** No name of a schedule begins with it. */
    private static final String MARK = "\u0001";

    private static final int SHORT = 12;

    private final UnaryOperator<String> identity;

    /**
     * @param identity what makes a payload equal to another, see {@link dev.pawl.api.PayloadCodec#identity}
     */
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

    /** {@return the form in which it was declared, without later changes by people} */
    String of(ScheduleRow row) {
        return form(
                row.job(),
                row.declared() == null ? row.when() : row.declared(),
                row.missed().most(),
                ScheduleRow.word(row.overlap()),
                row.hasOwnDays());
    }

    private String form(JobRequest job, String when, int missed, String overlap, boolean ownDays) {
        EnqueueOptions options = job.options();
        return digest(JsonStrings.write(List.of(
                        job.kind(),
                        options.queue(),
                        Integer.toString(options.priority()),
                        Integer.toString(options.maxAttempts()),
                        options.tags().toString(),
                        new TreeMap<>(options.headers()).toString(),
                        when,
                        Integer.toString(missed),
                        overlap,
                        Boolean.toString(ownDays))))
                + "." + payload(job.payload());
    }

    private String payload(String text) {
        try {
            String same = identity.apply(text);
            return same.equals(text) && EncryptedCodec.isEncrypted(text) ? "" : digest(same);
        } catch (InvalidJobException e) { // encrypted with a key that this program does not have
            return "";
        }
    }

    /** {@return whether two are the same, as far as this program can tell} */
    static boolean same(String one, String other) {
        if (one.equals(other) || one.equals(UNKNOWN) || other.equals(UNKNOWN)) {
            return true;
        }
        return (one.endsWith(".") || other.endsWith("."))
                && one.substring(0, one.indexOf('.')).equals(other.substring(0, other.indexOf('.')));
    }

    /** {@return what a worker's row says about its schedules: the names, which older programs read, and the forms} */
    List<String> written(List<Declaration> schedules) {
        if (schedules.isEmpty()) {
            return List.of();
        }
        Map<String, String> forms = new HashMap<>();
        schedules.forEach(schedule -> forms.put(schedule.name(), of(schedule)));
        return Stream.concat(schedules.stream().map(Declaration::name), Stream.of(MARK + JsonStrings.write(forms)))
                .toList();
    }

    /** {@return the forms by the names} */
    static Map<String, String> read(List<String> written) {
        Map<String, String> forms = new HashMap<>();
        for (String text : written) {
            if (text.startsWith(MARK)) {
                forms.putAll(JsonStrings.readMap(text.substring(MARK.length())));
            } else {
                forms.putIfAbsent(text, UNKNOWN);
            }
        }
        return forms;
    }

    /**
     * {@return the names of the schedules that a worker declares}
     *
     * @param column {@code schedules} of the worker's row
     */
    public static Set<String> names(String column) {
        return Set.copyOf(read(JsonStrings.readAll(column)).keySet());
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
