package dev.pawl.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DesignsTest {
    @Test
    void namesHaveTheStudysMeaning() {
        assertThat(Designs.named("DBP-0-1-1", 10))
                .returns(false, Design::optimistic)
                .returns(false, Design::deleteMark)
                .returns(true, Design::fetch)
                .returns(1, Design::tries);
        assertThat(Designs.named("DBP-1-0-1", 10))
                .returns(true, Design::deleteMark)
                .returns(false, Design::fetch);
        assertThat(Designs.named("DBO-0", 10)).returns(1, Design::window);
        assertThat(Designs.named("DBO-1", 10)).returns(10, Design::window).returns(Design.Pick.UNIFORM, Design::pick);
        assertThat(Designs.named("DBO-6", 10))
                .returns(5, Design::window)
                .returns(Design.Pick.EXPONENTIAL, Design::pick);
        assertThat(Designs.named("dbp-0-0-5-noindex", 10))
                .returns(Design.Index.NONE, design -> design.reading().index());
        assertThat(Designs.named("DBP-0-0-5-index54-skip-cl0.3", 10))
                .returns(Design.Index.LEGACY_54, design -> design.reading().index())
                .returns(true, Design::skipLocked)
                .returns(0.3, Design::cloneProbability)
                .returns("DBP-0-0-5-index54-skip-cl0.3", Design::name);
    }

    @Test
    void theStudysSettingIsTheDefaultAndAdjustable() {
        assertThat(Designs.named("DBP-0-0-5", 10).reading())
                .isEqualTo(new Design.Reading(Design.Index.QUEUE, true, true, true));
        assertThat(Designs.named("DBP-0-0-5-planner-fresh-alone", 10))
                .returns(new Design.Reading(Design.Index.QUEUE, false, false, false), Design::reading)
                .returns("DBP-0-0-5-planner-fresh-alone", Design::name);
    }

    @Test
    void listedDesignsCanBeParsed() {
        assertThat(Stream.of(Designs.all(), Designs.withProtocol(), Designs.inOtherSettings())
                        .flatMap(List::stream))
                .allSatisfy(name -> assertThat(Designs.named(name, 10).name()).isEqualTo(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"DBP-2-0-5", "DBP-0-0", "DBO-9", "DBO-1-skip", "DBO-1-cl1.5", "DBP-0-0-5-alone-fresh", "DBX"})
    void otherNamesAreRefused(String name) {
        assertThatThrownBy(() -> Designs.named(name, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }
}
