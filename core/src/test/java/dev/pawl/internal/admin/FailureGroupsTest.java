package dev.pawl.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import org.junit.jupiter.api.Test;

class FailureGroupsTest {
    /** As the API promises: years of failed attempts would not fit in memory. */
    @Test
    void evenWithoutALimitTheNumberOfAttemptsIsBounded() {
        assertThat(FailureGroups.attempts(Admin.UNLIMITED)).isEqualTo(50_000);
        assertThat(FailureGroups.attempts(7)).isEqualTo(7);
    }
}
