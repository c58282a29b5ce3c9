package dev.pawl.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.scenario.Scenario;
import org.junit.jupiter.api.Test;

class ScenarioCommandTest {
    /** The description of a scenario has the numbers of a whole run. */
    @Test
    void aScaledScenarioSaysSo() {
        Scenario any = Scenario.all().get(0);
        assertThat(ScenarioCommand.description(any, 1)).isEqualTo(any.description());
        assertThat(ScenarioCommand.description(any, 0.1)).isEqualTo(any.description() + " This run is scaled by 0.1.");
    }
}
