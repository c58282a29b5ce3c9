package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FilterCompletionsTest {
    private static final JobPages.Suggestions KNOWN = new JobPages.Suggestions(
            new TreeSet<>(List.of("default", "mail")),
            new TreeSet<>(List.of("mail.send", "order.ship")),
            new TreeSet<>(List.of("news of July", "urgent", "<b>")),
            new TreeSet<>(List.of("customer-7")));

    private static List<String> of(String line) {
        return FilterCompletions.of(line, KNOWN, true);
    }

    @Test
    void onlyTheLastWordIsCompleted() {
        assertThat(of(""))
                .containsExactly("state:", "queue:", "kind:", "tag:", "key:", "uniqueKey:", "text:", "from:", "until:");
        assertThat(of("K")).containsExactly("kind:", "key:");
        assertThat(of("kind:")).containsExactly("kind:mail.send", "kind:order.ship");
        assertThat(of("tag:\"x y\"  Kind:M")).containsExactly("tag:\"x y\"  kind:mail.send");
        assertThat(of("kind:a k")).containsExactly("kind:a key:");
        assertThat(of("tag:")).containsExactly("tag:<b>", "tag:\"news of July\"", "tag:urgent");
        assertThat(of("tag:\"news o")).containsExactly("tag:\"news of July\"");
        assertThat(of("since:1")).containsExactly("since:15m", "since:1h");
        assertThat(of("state:c")).containsExactly("state:completed", "state:cancelled");
    }

    @Test
    void furtherAndExcludedValuesAreCompleted() {
        assertThat(of("-")).containsExactly("-state:", "-queue:", "-kind:");
        assertThat(of("kind:a -K")).containsExactly("kind:a -kind:");
        assertThat(of("-kind:o")).containsExactly("-kind:order.ship");
        assertThat(of("kind:mail.send,")).containsExactly("kind:mail.send,order.ship");
        assertThat(of("state:running,Dis")).containsExactly("state:running,discarded");
        assertThat(of("Kind:Mail.Send,o"))
                .as("capital letters matter in the names that are there")
                .containsExactly("kind:Mail.Send,order.ship");
        assertThat(of("kind:Mail.Send,")).containsExactly("kind:Mail.Send,mail.send", "kind:Mail.Send,order.ship");
        assertThat(of("tag:news,")).isEmpty();
        assertThat(of("-tag:")).isEmpty();
    }

    @Test
    void invalidOrCompleteLinesHaveNoCompletions() {
        assertThat(of("kind:mail.send")).isEmpty();
        assertThat(of("nothing:")).isEmpty();
        assertThat(of("\"")).isEmpty();
        assertThat(of("text:a")).isEmpty();
        assertThat(of("x".repeat(100_000))).isEmpty();
    }

    @Test
    void payloadSearchIsNotSuggestedIfForbidden() {
        assertThat(FilterCompletions.of("t", KNOWN, false)).containsExactly("tag:");
    }
}
