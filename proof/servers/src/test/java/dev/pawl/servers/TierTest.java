package dev.pawl.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TierTest {
    private static Tier in(Map<String, String> environment) {
        return new Tier(environment::get);
    }

    @Test
    void withoutVariablesItIsQuick() {
        Tier quick = in(Map.of());
        assertThat(quick.isAll()).isFalse();
        assertThat(quick.isAll("PAWL_KILLS")).isFalse();
        assertThat(quick.isSet("PAWL_PROGRAMS")).isFalse();
        assertThat(quick.size("PAWL_PROGRAMS", 40, 1_000)).isEqualTo(40);
    }

    @Test
    void oneVariableSelectsAllTests() {
        Tier all = in(Map.of("PAWL_TESTS", "all"));
        assertThat(all.isAll()).isTrue();
        assertThat(all.isAll("PAWL_KILLS")).isTrue();
        assertThat(all.isSet("PAWL_PROGRAMS")).isTrue();
        assertThat(all.size("PAWL_PROGRAMS", 40, 1_000)).isEqualTo(1_000);
    }

    @Test
    void theVariableOfAGroupSelectsItsTestsOnly() {
        Tier kills = in(Map.of("PAWL_KILLS", "all", "PAWL_PROGRAMS", "7"));
        assertThat(kills.isAll()).isFalse();
        assertThat(kills.isAll("PAWL_KILLS")).isTrue();
        assertThat(kills.isAll("PAWL_CALLS")).isFalse();
        assertThat(kills.isSet("PAWL_PROGRAMS")).isTrue();
        assertThat(kills.size("PAWL_PROGRAMS", 40, 1_000)).isEqualTo(7);
    }
}
