package dev.pawl.quarkus.deployment;

import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunInterceptor;
import dev.pawl.quarkus.HandlerBeans;
import dev.pawl.quarkus.JobHandler;
import dev.pawl.quarkus.JobQueueCustomizer;
import dev.pawl.quarkus.PawlProducer;
import dev.pawl.quarkus.PawlRecorder;
import dev.pawl.quarkus.WorkerCustomizer;
import dev.pawl.quarkus.WorkerLifecycle;
import dev.pawl.schedule.Schedule;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.AutoAddScopeBuildItem;
import io.quarkus.arc.deployment.BeanDiscoveryFinishedBuildItem;
import io.quarkus.arc.deployment.SyntheticBeanBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.arc.processor.BeanInfo;
import io.quarkus.arc.processor.BuiltinScope;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveHierarchyBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveMethodBuildItem;
import io.quarkus.deployment.builditem.nativeimage.RuntimeInitializedClassBuildItem;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import jakarta.inject.Singleton;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;
import org.jboss.jandex.Type;
import org.jspecify.annotations.Nullable;

/** Finds the handlers, and adds the queue and its worker to the application. */
class PawlProcessor {
    private static final DotName HANDLER = DotName.createSimple(JobHandler.class);
    private static final DotName RUN = DotName.createSimple(JobRun.class);

    @BuildStep
    FeatureBuildItem feature() {
        return new FeatureBuildItem("pawl");
    }

    @BuildStep
    AdditionalBeanBuildItem beans() {
        return AdditionalBeanBuildItem.builder()
                .addBeanClasses(PawlProducer.class, WorkerLifecycle.class)
                .setUnremovable()
                .build();
    }

    @BuildStep
    HealthBuildItem health() {
        return new HealthBuildItem("dev.pawl.quarkus.PawlHealthCheck", true);
    }

    @BuildStep
    AutoAddScopeBuildItem scope() {
        return AutoAddScopeBuildItem.builder()
                .containsAnnotations(HANDLER)
                .defaultScope(BuiltinScope.SINGLETON)
                .unremovable()
                .reason("it has a method with @JobHandler")
                .build();
    }

    /** A native image must contain no running threads and no source of random numbers, so these classes are initialized at run time. */
    @BuildStep
    List<RuntimeInitializedClassBuildItem> initializedAtRunTime() {
        return List.of(
                new RuntimeInitializedClassBuildItem("dev.pawl.internal.slot.ReservedSlot"),
                new RuntimeInitializedClassBuildItem("dev.pawl.codec.EncryptedCodec"));
    }

    /** Keeps beans that are looked up while the application starts. */
    @BuildStep
    List<UnremovableBeanBuildItem> lookedUp() {
        return List.of(
                new UnremovableBeanBuildItem(new UnremovableBeanBuildItem.BeanClassAnnotationExclusion(HANDLER)),
                UnremovableBeanBuildItem.beanTypes(
                        EnqueueInterceptor.class,
                        JobQueueCustomizer.class,
                        JobType.class,
                        PayloadCodec.class,
                        RetryPolicy.class,
                        RunInterceptor.class,
                        Schedule.class,
                        WorkerCustomizer.class));
    }

    @BuildStep
    @Record(ExecutionTime.STATIC_INIT)
    SyntheticBeanBuildItem handlers(
            PawlRecorder recorder,
            BeanDiscoveryFinishedBuildItem beans,
            CombinedIndexBuildItem index,
            BuildProducer<ReflectiveMethodBuildItem> methods,
            BuildProducer<ReflectiveHierarchyBuildItem> payloads) {
        Map<String, Class<?>> classes = new LinkedHashMap<>();
        for (BeanInfo bean : beans.beanStream().classBeans()) {
            ClassInfo type = bean.getTarget().orElseThrow().asClass();
            List<MethodInfo> found = handlers(type, index.getIndex());
            if (!found.isEmpty()) {
                classes.put(bean.getIdentifier(), load(type.name()));
            }
            for (MethodInfo method : found) {
                requireCallable(type, method);
                methods.produce(new ReflectiveMethodBuildItem("a handler of jobs", method));
                for (Type parameter : method.parameterTypes()) {
                    if (!parameter.name().equals(RUN)) {
                        payloads.produce(ReflectiveHierarchyBuildItem.builder(parameter)
                                .source(method.toString())
                                .build());
                    }
                }
            }
        }
        return SyntheticBeanBuildItem.configure(HandlerBeans.class)
                .scope(Singleton.class)
                .runtimeValue(recorder.handlers(classes))
                .unremovable()
                .done();
    }

    private static Class<?> load(DotName name) {
        try {
            return Class.forName(name.toString(), false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<MethodInfo> handlers(ClassInfo type, IndexView index) {
        List<MethodInfo> found = new ArrayList<>();
        for (ClassInfo each = type; each != null; each = superclass(each, index)) {
            for (MethodInfo method : each.methods()) {
                if (method.hasDeclaredAnnotation(HANDLER)) {
                    found.add(method);
                }
            }
        }
        return found;
    }

    private static @Nullable ClassInfo superclass(ClassInfo type, IndexView index) {
        return type.superName() == null ? null : index.getClassByName(type.superName());
    }

    /** Refuses private and static methods, which a call through a proxy does not reach. */
    private static void requireCallable(ClassInfo bean, MethodInfo method) {
        if (Modifier.isPrivate(method.flags()) || Modifier.isStatic(method.flags())) {
            throw new IllegalStateException(
                    bean.name() + "." + method.name()
                            + " cannot handle jobs: it is private or static, and Quarkus calls methods of beans: remove the modifier");
        }
    }
}
