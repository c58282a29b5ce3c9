package dev.pawl.dashboard.internal.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.dashboard.Role;
import dev.pawl.dashboard.Viewer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditTest {
    @Test
    void longParametersDoNotHideOthers() {
        String what = Changes.what(Map.of("a", "x".repeat(5_000), "queue", "mail", "payload", "secret", "csrf", "s"));
        assertThat(what).contains("queue=mail").hasSizeLessThan(300).doesNotContain("secret", "csrf");
        assertThat(Changes.what(Map.of("n".repeat(5_000), "v", "queue", "mail")))
                .contains("queue=mail")
                .hasSizeLessThan(100);
    }

    @Test
    void payloadSearchTermsAreOmitted() {
        assertThat(Changes.what(Map.of("q", "state:discarded TEXT:\"my secret\" kind:mail.send")))
                .isEqualTo("{q=state:discarded kind:mail.send text:…}");
        assertThat(Changes.what(Map.of("q", "queue:mail"))).isEqualTo("{q=queue:mail}");
        assertThat(Changes.what(Map.of("q", "text:my secret"))).isEqualTo("{q=malformed}");
        assertThat(Changes.what(Map.of("q", "text:\"my secret"))).isEqualTo("{q=malformed}");
    }

    @Test
    void lineBreaksAndBidiMarksAreRemoved() {
        String hostile = "a\nb\r\u0085c\u2028d\u2029e\u202Ef\u0000g\u001Bh\u200Bi";
        assertThat(Changes.what(Map.of("queue", hostile))).isEqualTo("{queue=a?b??c?d?e?f?g?h?i}");
        assertThat(new Viewer(hostile, Role.OPERATOR).name()).isEqualTo("a?b??c?d?e?f?g?h?i");
    }
}
