package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.Job;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinksTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @Test
    void placeholderValuesAreEncoded() {
        Links links = new Links(List.of(
                "Logs=https://logs.example.com/?q={id}&of={kind}",
                "Trace=http://traces.example.com/{traceparent}",
                "Order=https://shop.example.com/{header:x-order}"));
        Job job = Job.builder(17, "mail/send", "mail")
                .headers(Map.of("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01"))
                .build();
        assertThat(links.of(job))
                .containsExactly(
                        new Links.Link("Logs", "https://logs.example.com/?q=17&of=mail%2Fsend"),
                        new Links.Link("Trace", "http://traces.example.com/" + TRACE));
        Job hostile = Job.builder(1, "a", "b")
                .headers(Map.of("x-order", "\"><script>?#/..\n$1\\ a+b"))
                .build();
        assertThat(links.of(hostile).get(1).url())
                .isEqualTo("https://shop.example.com/%22%3E%3Cscript%3E%3F%23%2F..%0A%241%5C%20a%2Bb");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Logs=javascript:alert({id})",
                "Logs=//logs.example.com/{id}",
                "Logs=https://{kind}.example.com/",
                "Logs=https://{header:host}/",
                "Logs={header:url}",
                "https://logs.example.com/",
                "Logs=https://logs.example.com/{what}",
                "Logs=ftp://logs.example.com/{id}"
            })
    void whatMayLeadAnywhereIsRefused(String template) {
        assertThatThrownBy(() -> new Links(List.of(template)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https://logs.example.com/?q={id}");
    }
}
