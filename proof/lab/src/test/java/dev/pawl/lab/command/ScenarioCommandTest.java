package dev.pawl.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.scenario.Scenario;
import org.junit.jupiter.api.Test;

class ScenarioCommandTest {
    /** Its text has the numbers of a whole run. */
    @Test
    void aScaledScenarioSaysSo() {
        Scenario any = Scenario.all().get(0);
        assertThat(ScenarioCommand.says(any, 1)).isEqualTo(any.says());
        assertThat(ScenarioCommand.says(any, 0.1)).isEqualTo(any.says() + " This run is scaled by 0.1.");
    }
}
