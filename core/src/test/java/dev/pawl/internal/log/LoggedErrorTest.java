package dev.pawl.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class LoggedErrorTest {
    private static String trace(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static void deep(int depth, String message) {
        if (depth > 0) {
            deep(depth - 1, message);
        } else {
            throw new IllegalStateException(message);
        }
    }

    private static Throwable thrown(Runnable code) {
        try {
            code.run();
            throw new AssertionError("it does not fail");
        } catch (IllegalStateException e) {
            return e;
        }
    }

    @Test
    void eachExceptionHasThirtyFrames() {
        Throwable cause = thrown(() -> deep(100, "inner"));
        String error = trace(new IllegalArgumentException("outer", cause));
        assertThat(LoggedError.firstLine(error)).isEqualTo("java.lang.IllegalArgumentException: outer");
        String rest = LoggedError.rest(error);
        String causes = rest.substring(rest.indexOf("\nCaused by: java.lang.IllegalStateException: inner\n"));
        assertThat(causes.lines().filter(line -> line.startsWith("\tat ")).count())
                .isEqualTo(30);
        assertThat(causes).containsPattern("\n\t\\.\\.\\. 7\\d more frames");
    }

    @Test
    void noErrorIsLongerThanTwelveThousandCharacters() {
        String long1 = "x".repeat(100_000);
        assertThat(LoggedError.firstLine(long1)).hasSize(500);
        String error = trace(new IllegalStateException(("line\n" + long1 + "\n").repeat(300)));
        assertThat(LoggedError.rest(error)).hasSizeLessThan(12_200).contains("more lines; the job has all of them");
    }

    @Test
    void passwordsAreLeftOut() {
        assertThat(LoggedError.firstLine("cannot reach postgres://app:s3cr3t@db:5432/shop?password=s3cr3t&ssl=true"))
                .isEqualTo("cannot reach postgres://app:…@db:5432/shop?password=…&ssl=true");
        assertThat(LoggedError.rest("x\nAuthorization: Bearer abc.def-123, api_key=s3cr3t; Token=s3cr3t"))
                .isEqualTo("\nAuthorization: Bearer …, api_key=…; Token=…");
        assertThat(LoggedError.firstLine("unexpected token: x at http://host/path"))
                .endsWith("token: x at http://host/path");
    }

    @Test
    void aTextWithoutAStackTraceKeepsItsLines() {
        assertThat(LoggedError.rest("Traceback\n  File \"a.py\"\nValueError: x"))
                .isEqualTo("\n  File \"a.py\"\nValueError: x");
        assertThat(LoggedError.rest("one line")).isEmpty();
        assertThat(LoggedError.firstLine("")).isEmpty();
    }

    @Test
    void messagesAroundAnUnreadablePayloadAreLeftOut() {
        String unreadable =
                "dev.pawl.api.InvalidJobException: the payload cannot be read as Paint: SECRET\nSECRET\n\tat a.B.c(B.java:1)"
                        + "\nCaused by: x.Y: SECRET: SECRET\nSECRET\n\tat a.B.d(B.java:2)";
        assertThat(LoggedError.rest(unreadable))
                .isEqualTo("\n\tat a.B.c(B.java:1)\nCaused by: x.Y\n\tat a.B.d(B.java:2)");
        String around = "java.lang.IllegalStateException: SECRET\n\tat a.B.c(B.java:1)\nCaused by: " + unreadable;
        assertThat(LoggedError.firstLine(around)).isEqualTo("java.lang.IllegalStateException");
        assertThat(LoggedError.rest(around))
                .doesNotContain("SECRET")
                .contains("Caused by: dev.pawl.api.InvalidJobException: the");
    }
}
