package dev.pawl.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** The texts of annotations, with <code>${…}</code> resolved. */
final class Texts {
    private static final String NEVER = "-";
    private final ConfigurableBeanFactory beans;

    Texts(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    String resolved(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved.strip();
    }

    /** Returns null if it is empty. */
    @Nullable
    String given(String text) {
        String resolved = resolved(text);
        return resolved.isEmpty() ? null : resolved;
    }

    static boolean isNever(String text) {
        return text.equals(NEVER);
    }

    /** Parses Spring's format ({@code 30s}) or ISO 8601 ({@code PT30S}). */
    static Duration duration(String text) {
        return DurationFormatterUtils.detectAndParse(text);
    }
}
