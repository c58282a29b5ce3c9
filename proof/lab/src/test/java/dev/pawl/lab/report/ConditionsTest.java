package dev.pawl.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.run.LabFile.TargetFacts;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionsTest {
    private static final Conditions SOME = conditions("");

    /** {@return the usual conditions with one difference} */
    private static Conditions conditions(String other) {
        return new Conditions(
                other.equals("commit") ? "other" : "commit",
                other.equals("machine") ? "other" : "machine",
                other.equals("java") ? "other" : "java",
                other.equals("disk") ? "other" : "disk",
                new TargetFacts(
                        "postgresql",
                        other.equals("version") ? "other" : "version",
                        true,
                        Map.of("fsync", other.equals("variables") ? "off" : "on")),
                other.equals("settings") ? "other" : "settings",
                other.equals("rest") ? "other" : "rest");
    }

    @Test
    void equalConditionsAreOneMeasurement() {
        assertThat(conditions("")).isEqualTo(SOME);
        assertThat(SOME.differences(conditions(""))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "machine", "java", "disk", "version", "variables", "settings", "rest"})
    void eachDifferenceMakesAnotherMeasurementAndIsNamed(String what) {
        assertThat(conditions(what)).isNotEqualTo(SOME);
        assertThat(SOME.differences(conditions(what))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "machine", "java", "disk", "version", "variables", "rest"})
    void systemsAreComparedWithinOneRunOnly(String what) {
        assertThat(SOME.areThoseOf(conditions(what))).isFalse();
        assertThat(SOME.areThoseOf(conditions("settings"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"machine", "java", "disk", "version", "variables", "rest"})
    void versionsOfPawlAreComparedIfNothingElseDiffers(String what) {
        assertThat(SOME.areComparable(conditions(what))).isFalse();
        assertThat(SOME.areComparable(conditions("commit"))).isTrue();
    }
}
