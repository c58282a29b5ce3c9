package dev.pawl.internal.log;

import dev.pawl.api.InvalidJobException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of an error as the log shows it: bounded, and without passwords and payloads. The whole text is stored with the job, in the
 * database.
 */
public final class LoggedError {
    private static final int MAX_FRAMES = 30;
    private static final int MAX_LINES = 120;
    private static final int LONGEST_LINE = 500;
    private static final int LONGEST = 12_000;

    private static final String TYPE = InvalidJobException.class.getName();

    /** The start of an error that may quote the payload, in its own message or in those of its causes. */
    private static final String UNREADABLE = TYPE + ": the payload cannot be read";

    private static final Pattern FRAME = Pattern.compile("\\s+at \\S.*");
    private static final Pattern EXCEPTION = Pattern.compile("(?:\\s*(?:Caused by|Suppressed): )?[\\w$.]+");
    private static final Pattern CAUSE = Pattern.compile("\\s*(?:Caused by|Suppressed): .*");
    private static final Pattern IN_URL = Pattern.compile("(://[^\\s/:@]*):[^\\s/@]+@");
    private static final Pattern NAMED =
            Pattern.compile("(?i)((?:password|passwd|pwd|secret|token|api[-_]?key)=|\\bBearer )[^\\s,;&\"')\\]}]+");

    private LoggedError() {}

    /**
     * @param error a stack trace, or another text
     * @return its first line
     */
    public static String firstLine(String error) {
        return line(error.lines().findFirst().orElse(""), isUnreadable(error));
    }

    /**
     * @param error a stack trace, or another text
     * @return all lines after the first, each after a line break, with at most 30 frames of each exception; empty if there are none
     */
    public static String rest(String error) {
        boolean hidesMessages = isUnreadable(error);
        List<String> lines = new ArrayList<>();
        int frames = 0;
        for (String line : (Iterable<String>) error.lines().skip(1)::iterator) {
            boolean isFrame = FRAME.matcher(line).matches();
            if (isFrame) {
                frames++;
            } else if (hidesMessages && !CAUSE.matcher(line).matches()) {
                continue; // a further line of a message
            } else {
                addOmitted(lines, frames);
                frames = 0;
            }
            if (frames <= MAX_FRAMES) {
                lines.add(line(line, hidesMessages && !isFrame));
            }
        }
        addOmitted(lines, frames);
        return bounded(lines);
    }

    private static void addOmitted(List<String> lines, int frames) {
        if (frames > MAX_FRAMES) {
            lines.add("\t... " + (frames - MAX_FRAMES) + " more frames");
        }
    }

    private static String bounded(List<String> lines) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            if (i == MAX_LINES || text.length() + lines.get(i).length() > LONGEST) {
                return text.append("\n\t... ")
                        .append(lines.size() - i)
                        .append(" more lines; the job has all of them")
                        .toString();
            }
            text.append('\n').append(lines.get(i));
        }
        return text.toString();
    }

    private static boolean isUnreadable(String error) {
        return error.contains(UNREADABLE);
    }

    private static String line(String line, boolean hidesMessage) {
        if (hidesMessage) {
            Matcher exception = EXCEPTION.matcher(line);
            String type = exception.lookingAt() ? exception.group() : "";
            return line.startsWith(UNREADABLE, type.length() - TYPE.length())
                    ? type + ": the payload cannot be read; the job's error says why"
                    : type;
        }
        String plain = IN_URL.matcher(line.substring(0, Math.min(line.length(), 4 * LONGEST_LINE)))
                .replaceAll("$1:…@");
        plain = NAMED.matcher(plain).replaceAll("$1…");
        return plain.length() <= LONGEST_LINE ? plain : plain.substring(0, LONGEST_LINE - 1) + "…";
    }
}
