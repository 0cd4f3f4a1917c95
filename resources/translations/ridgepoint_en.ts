<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>ridge::desktop::ChartPane</name>
    <message numerus="yes">
        <source>%n value(s) left out: not finite or not positive.</source>
        <translation>
            <numerusform>%n value left out: not finite or not positive.</numerusform>
            <numerusform>%n values left out: not finite or not positive.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ridge::desktop::DiagnosticsPane</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s)</source>
        <translation>
            <numerusform>%n question</numerusform>
            <numerusform>%n questions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ridge::desktop::FindBar</name>
    <message numerus="yes">
        <source>%n replaced</source>
        <translation>
            <numerusform>%n replaced</numerusform>
            <numerusform>%n replaced</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ridge::desktop::MainWindow</name>
    <message numerus="yes">
        <source>%n run(s) of this session are not saved.</source>
        <translation>
            <numerusform>%n run of this session is not saved.</numerusform>
            <numerusform>%n runs of this session are not saved.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ridge::desktop::RooflineChart</name>
    <message numerus="yes">
        <source>%n point(s) above the roof: faster than physics, so the work or the time is wrong.</source>
        <translation>
            <numerusform>%n point above the roof: faster than physics, so the work or the time is wrong.</numerusform>
            <numerusform>%n points above the roof: faster than physics, so the work or the time is wrong.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 series under %n roof(s).</source>
        <translation>
            <numerusform>%1 series under %n roof.</numerusform>
            <numerusform>%1 series under %n roofs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ridge::desktop::RunControl</name>
    <message numerus="yes">
        <source>Stopped. %n run(s) finished before.</source>
        <translation>
            <numerusform>Stopped. %n run finished before.</numerusform>
            <numerusform>Stopped. %n runs finished before.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ridge::desktop::SolChart</name>
    <message numerus="yes">
        <source>%n run(s); 100 % is T_SOL.</source>
        <translation>
            <numerusform>%n run; 100 % is T_SOL.</numerusform>
            <numerusform>%n runs; 100 % is T_SOL.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ridge::desktop::TimingChart</name>
    <message numerus="yes">
        <source>%n not timed</source>
        <translation>
            <numerusform>%n not timed</numerusform>
            <numerusform>%n not timed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ridge::desktop::VerificationPane</name>
    <message numerus="yes">
        <source>%n judged launch(es)</source>
        <translation>
            <numerusform>%n judged launch</numerusform>
            <numerusform>%n judged launches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wrong element(s) are not in here: stored by no thread, or by several blocks.</source>
        <translation>
            <numerusform>%n wrong element is not in here: stored by no thread, or by several blocks.</numerusform>
            <numerusform>%n wrong elements are not in here: stored by no thread, or by several blocks.</numerusform>
        </translation>
    </message>
</context>
</TS>
