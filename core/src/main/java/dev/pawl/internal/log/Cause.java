package dev.pawl.internal.log;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The cause of a failed attempt, without the details in which failures with the same cause differ.
 *
 * @param text for people
 */
public record Cause(String text) {
    private static final int LONGEST = 200;
    /**
     * {@code com.example.SomeException: message}, the first line of a stack trace. A group that is repeated without a limit would overflow
     * the stack on long texts.
     */
    private static final Pattern EXCEPTION = Pattern.compile("([\\w$]+\\.[\\w$.]*[\\w$])(?::.*)?");

    private static final Pattern FRAME =
            Pattern.compile("^\\s*at (?:[\\w.@-]*/){0,2}([\\w.$<>]+)\\(", Pattern.MULTILINE);
    private static final Pattern OF_THE_PLATFORM = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /**
     * @param error a stack trace, or another text
     * @return its cause: the class and place of an exception; the first line of another text, without its numbers
     */
    public static Cause of(String error) {
        String first = error.lines().findFirst().orElse("").strip();
        Matcher exception = EXCEPTION.matcher(first);
        if (exception.matches()) {
            String place = place(error);
            return new Cause(exception.group(1) + (place.isEmpty() ? "" : " at " + place));
        }
        String text = NUMBER.matcher(first).replaceAll("#");
        return new Cause(text.length() <= LONGEST ? text : text.substring(0, LONGEST));
    }

    /** The first frame of the application; if there is none, the first frame. */
    private static String place(String error) {
        String first = "";
        for (Matcher frame = FRAME.matcher(error); frame.find(); ) {
            if (!OF_THE_PLATFORM.matcher(frame.group(1)).matches()) {
                return frame.group(1);
            }
            first = first.isEmpty() ? frame.group(1) : first;
        }
        return first;
    }

    /** {@return a short id for this cause and a kind of jobs} */
    public String id(String kind) {
        CRC32 sum = new CRC32();
        sum.update((kind + "\n" + text).getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "%08x", sum.getValue());
    }
}
