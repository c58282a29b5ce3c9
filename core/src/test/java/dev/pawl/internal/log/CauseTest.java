package dev.pawl.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class CauseTest {
    private static String trace(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static void fail(String message) {
        throw new IllegalStateException(message);
    }

    private static Cause causeOf(Runnable code) {
        try {
            code.run();
            throw new AssertionError("it does not fail");
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            return Cause.of(trace(e));
        }
    }

    @Test
    void anExceptionAtTheSamePlaceIsTheSameCause() {
        Cause one = causeOf(() -> fail("order 17 is unknown"));
        Cause other = causeOf(() -> fail("order 4711 is unknown"));
        assertThat(one).isEqualTo(other);
        assertThat(one.text()).isEqualTo("java.lang.IllegalStateException at dev.pawl.internal.log.CauseTest.fail");
        assertThat(one.id("a")).matches("[0-9a-f]{8}").isEqualTo(other.id("a")).isNotEqualTo(one.id("b"));
    }

    @Test
    void framesOfThePlatformAreNotThePlace() {
        assertThat(causeOf(() -> java.util.List.of().get(3)).text())
                .startsWith("java.lang.ArrayIndexOutOfBoundsException at dev.pawl.internal.log.CauseTest");
    }

    /** A regular expression must not overflow the stack, because the worker logs each failure. */
    @Test
    void longErrorsHaveACause() {
        assertThat(Cause.of("a" + ".a".repeat(8_000)).text()).hasSizeGreaterThan(10_000);
        assertThat(Cause.of("a.B: c\n\tat " + "a/".repeat(8_000) + "b.C.d(E.java)")
                        .text())
                .isEqualTo("a.B");
    }

    @Test
    void numbersInATextDoNotMatter() {
        assertThat(Cause.of("exit 3: order 17 is broken"))
                .isEqualTo(Cause.of("exit 4: order 4711 is broken\nand more"));
        assertThat(Cause.of("exit 3: order 17 is broken").text()).isEqualTo("exit #: order # is broken");
        assertThat(Cause.of("").text()).isEmpty();
        assertThat(Cause.of("x".repeat(1000)).text()).hasSize(200);
        assertThat(Cause.of("java.io.IOException: no route").text()).isEqualTo("java.io.IOException");
    }
}
