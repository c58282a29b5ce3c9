package dev.pawl.dashboard.internal.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RevokedSessionsTest {
    private final RevokedSessions ended = new RevokedSessions();

    @Test
    void onlyEndedSessionsAreRefused() {
        ended.add("a", 100, 50);
        assertThat(ended.isRefused("a", 100)).isTrue();
        assertThat(ended.isRefused("b", 100)).isFalse();
        assertThat(ended.isRefused("b", 99)).isFalse();
    }

    @Test
    void onOverflowSessionsExpiringNoLaterThanTheForgottenAreRefused() {
        ended.add("first", 100, 50);
        for (int i = 0; i < RevokedSessions.MAX; i++) {
            ended.add("n" + i, 101 + i % 2, 50);
        }
        assertThat(ended.isRefused("first", 100)).isTrue();
        assertThat(ended.isRefused("goes on", 100)).isTrue();
        assertThat(ended.isRefused("goes on", 101)).isFalse();
        assertThat(ended.isRefused("n0", 101)).isTrue();
        assertThat(ended.isRefused("n1", 102)).isTrue();
    }

    @Test
    void expiredSessionsTakeNoSpace() {
        for (int i = 0; i < RevokedSessions.MAX; i++) {
            ended.add("n" + i, 100, 50);
        }
        ended.add("later", 200, 101);
        assertThat(ended.isRefused("goes on", 100)).isFalse();
        assertThat(ended.isRefused("later", 200)).isTrue();
    }
}
