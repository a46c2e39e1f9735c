"""Words of the trade that say one thing in six languages, and words that every project has.

A word of the trade is weaker evidence than one that only this work has: half a word. In
another language, or in other words of the same language, it is still the same half.
"""

from functools import cache

from holdfast.language.content_words import content_words
from holdfast.start.continues.phrase_book import FoldedText, phrases

_TRADE = (
    "test* | spec | specs | เทสต์ | เทส | ทดสอบ | 테스트 | テスト | 测试 | 单测 | 压测",
    "deploy* | release | releases | ship | déploie* | déploy* | livr* | mise en prod | ดีพลอย | ปล่อยขึ้น | 배포 | 릴리스 | デプロイ | リリース | 本番反映 | 部署 | 发布 | 上线",
    "login | log in | sign in | signin | auth* | authenti* | connexion | connecter | ล็อกอิน | เข้าสู่ระบบ | 로그인 | 인증 | ログイン | 認証 | サインイン | 登录 | 登陆 | 鉴权 | 认证",
    "logout | sign out | déconnexion | ล็อกเอาต์ | ออกจากระบบ | 로그아웃 | ログアウト | 退出登录 | 登出",
    "cache* | caching | แคช | 캐시 | キャッシュ | 缓存",
    "database | databases | db | base de données | sql | postgres* | mysql | sqlite | ฐานข้อมูล | 데이터베이스 | 디비 | データベース | 数据库",
    "migration* | migrat* | migre* | มิเกรชัน | ย้ายข้อมูล | 마이그레이션 | 이전 | マイグレーション | 移行 | 迁移",
    "performance | slow* | latency | faster | speed | lent* | rame | vitesse | ช้า | เร็ว | 느려 | 느리 | 속도 | 성능 | 遅い | 遅く | 速度 | 性能 | 高速 | 慢 | 变慢 | 性能 | 卡",
    "timeout* | timed out | time out | délai | หมดเวลา | ไทม์เอาต์ | 타임아웃 | 시간 초과 | タイムアウト | 切れる | 超时",
    "memory | oom | leak* | mémoire | fuite | เมม | หน่วยความจำ | 메모리 | 누수 | メモリ | 内存",
    "crash* | panic* | segfault | plant* | เด้ง | พัง | แครช | 크래시 | 튕 | 죽어 | クラッシュ | 落ち | 崩溃 | 闪退 | 崩了 | 挂了",
    "duplicate* | double* | twice | dedup* | doublon* | en double | deux fois | ซ้ำ | สองเท่า | 중복 | 두번 | 두 번 | 重複 | 二重 | 重复 | 两份 | 两次",
    "retry* | retries | reconnect* | réessa* | ลองใหม่ | 재시도 | リトライ | 再試行 | 重试 | 重连",
    "queue* | file d'attente | คิว | 큐 | 대기열 | キュー | 队列",
    "payment* | pay | paid | checkout | paiement* | payer | จ่ายเงิน | ชำระ | 결제 | 決済 | 支払 | 支付 | 付款",
    "invoice* | billing | facture* | facturation | ใบแจ้งหนี้ | ใบเสร็จ | 청구 | 송장 | 請求 | 领取发票 | 发票 | 账单",
    "refund* | rembours* | คืนเงิน | 환불 | 返金 | 退款",
    "order* | commande* | คำสั่งซื้อ | ออเดอร์ | 주문 | 注文 | 订单",
    "stock | inventory | สต็อก | สินค้าคงคลัง | 재고 | 在庫 | 库存",
    "user* | account* | utilisateur* | compte* | ผู้ใช้ | บัญชี | 사용자 | 유저 | 계정 | 회원 | ユーザー | アカウント | 会員 | 用户 | 账号 | 帐号 | 账户",
    "password* | mot de passe | รหัสผ่าน | 비밀번호 | 패스워드 | パスワード | 密码",
    "token* | jeton* | โทเคน | 토큰 | トークン | 令牌",
    "permission* | role* | access | droits | rôle* | สิทธิ์ | 권한 | 権限 | 权限",
    "email* | mail* | e mail | courriel | อีเมล | เมล | 이메일 | 메일 | メール | 邮件 | 邮箱",
    "notification* | notify | alert* | notif* | alerte* | แจ้งเตือน | 알림 | 알람 | 通知 | アラート | 推送 | 提醒 | 告警",
    "upload* | téléverse* | envoi de fichier | อัปโหลด | อัพโหลด | 업로드 | アップロード | 上传",
    "download* | export* | télécharge* | ดาวน์โหลด | ส่งออก | 다운로드 | 내보내기 | エクスポート | ダウンロード | 导出 | 下载",
    "import* | นำเข้า | 가져오기 | 임포트 | インポート | 取り込み | 导入",
    "image* | photo* | picture* | รูป | ภาพ | 이미지 | 사진 | 画像 | 写真 | 图片 | 照片",
    "search* | recherche* | ค้นหา | 검색 | 検索 | 搜索 | 搜",
    "sort* | order by | tri | trier | เรียง | 정렬 | 並び替え | ソート | 排序",
    "filter* | filtre* | กรอง | ฟิลเตอร์ | 필터 | フィルタ | 絞り込み | 筛选 | 过滤",
    "page | pages | pagination | paginat* | หน้า | 페이지 | ページ | 分页 | 翻页 | 页面",
    "screen* | view | écran* | หน้าจอ | 화면 | 画面 | 界面",
    "button* | bouton* | ปุ่ม | 버튼 | ボタン | 按钮",
    "form | forms | formulaire* | ฟอร์ม | แบบฟอร์ม | 폼 | フォーム | 表单",
    "table* | tableau* | ตาราง | 테이블 | 표 | テーブル | 表格",
    "list* | liste* | รายการ | ลิสต์ | 목록 | 리스트 | 一覧 | リスト | 列表",
    "menu* | navigation | เมนู | 메뉴 | メニュー | 菜单 | 导航",
    "config* | setting* | réglage* | paramètre* | ตั้งค่า | 설정 | 設定 | 配置 | 设置",
    "log | logs | logging | journal | journaux | ล็อก | 로그 | ログ | 日志",
    "server* | serveur* | backend | เซิร์ฟเวอร์ | 서버 | サーバ | バックエンド | 服务器 | 后端",
    "frontend | front | หน้าบ้าน | 프론트 | フロント | 前端",
    "network | offline | réseau | hors ligne | เน็ต | ออฟไลน์ | 네트워크 | 오프라인 | ネットワーク | オフライン | 网络 | 离线 | 断网",
    "race | concurren* | parallel* | deadlock* | lock* | verrou* | simultan* | parallèle* | พร้อมกัน | ขนาน | 동시 | 병렬 | 락 | 並列 | 同時 | ロック | 排他 | 并发 | 并行 | 同时 | 锁",
    "index* | indice | ดัชนี | 인덱스 | 색인 | インデックス | 索引",
    "schema* | column* | colonne* | คอลัมน์ | 스키마 | 컬럼 | スキーマ | カラム | 字段 | 表结构",
    "timezone* | time zone | utc | fuseau* | เขตเวลา | 시간대 | 타임존 | タイムゾーン | 時差 | 时区",
    "date* | calendar | calendrier | วันที่ | ปฏิทิน | 날짜 | 달력 | 캘린더 | 日付 | カレンダー | 日期 | 日历",
    "translat* | i18n | locale* | traduct* | แปล | 번역 | 翻訳 | 翻译",
    "backup* | restore | snapshot* | sauvegard* | restaur* | สำรอง | กู้คืน | 백업 | 복원 | バックアップ | 復元 | 备份 | 恢复",
    "script* | สคริปต์ | 스크립트 | スクリプト | 脚本",
    "docs | documentation | readme | เอกสาร | 문서 | ドキュメント | 文档 | 手順書",
    "option* | flag* | ตัวเลือก | ออปชัน | 옵션 | 플래그 | オプション | フラグ | 选项 | 参数",
    "limit* | rate | quota | limite* | จำกัด | 제한 | 制限 | 上限 | 限流 | 限速 | 限制",
    "gradient* | grad | 勾配 | 梯度 | 그래디언트",
    "video* | vidéo* | วิดีโอ | 영상 | 비디오 | 動画 | 视频",
    "audio | sound* | son | เสียง | 소리 | 음성 | 音声 | 音频 | 声音",
    "message* | chat | ข้อความ | แชท | 메시지 | 채팅 | メッセージ | チャット | 消息 | 聊天",
    "delete* | remov* | supprim* | efface* | ลบ | 삭제 | 지우 | 지워 | 削除 | 消え | 删除 | 删掉",
    "progress | percent* | pourcentage | progression | ความคืบหน้า | เปอร์เซ็นต์ | 진행률 | 퍼센트 | 進捗 | 進行状況 | 进度 | 百分比",
    "customer* | client* | ลูกค้า | 고객 | 顧客 | お客 | 客户 | 顾客",
    "money | price* | amount* | credit* | montant* | prix | เงิน | ราคา | 금액 | 가격 | 金額 | 価格 | 金额 | 价格",
    "iphone | ios | ipad | ไอโฟน | 아이폰 | アイフォン | 苹果",
    "ci | pipeline | github actions | workflow | 流水线",
)
_BOOKS = tuple(phrases(row) for row in _TRADE)
# Beside those: in every project, and so of none.
_COMMON_TEXT = """
    api app apps application bad best better big browser build class click client clean
    component container content copy dashboard data default dependency device docker dialog
    endpoint environment event example feature field folder format git github handle handler
    header home html http icon id input install interface item job json key language layer
    layout library link linux local loop mac main method mobile mode model module name node
    number object output package parser path phone plugin point port process prod production
    project public python query react refactor repo report request response result return
    route row rust schedule section service session side simple site size space staging
    state status step string structure style support system tag team text theme thread time
    title tool type typescript ui unit url value variable version web website week widget
    window word year month today morning
    appli bouton champ code dossier étape fichier fonction heure jour lien mois nom projet
    site système titre valeur année semaine
    assets auto automatic branch bugfix cmd cmake common core css docs feat feature fix hotfix include
    internal lib manage notebooks pkg public src static template templates types util utils
    vendor views
    管理画面 機能 項目 計算 単位 時間 日数 修正 影響 箇所 差分 設定値 入力 出力 登録 更新 取得 表示 情報
    功能 数据 后台 前台 模块 组件 项目 代码 返回 时间 依赖 显示 更新 信息 内容 方式 逻辑 管理
    기능 데이터 서버 폴더 시간 파일 프로젝트 관리자 입력 출력 등록 조회 표시 정보
    ข้อมูล ระบบ โปรเจกต์ ฟังก์ชัน เวลา จำนวน
    """
# What a project is built with belongs to all of its work: languages, frameworks, tools.
_TOOLS_TEXT = """
    actions airflow android angular ansible apollo astro aws azure babel backbone bash black
    bootstrap bun bundler bundle cargo celery chrome circleci clang claude cocoapods composer
    conda cpp csharp cypress dart dask datadog deno django docker dotnet electron elixir
    elasticsearch ember erlang esbuild eslint express fastapi fastlane ffmpeg figma firebase
    firefox flask flink flutter gcc gcp gin github gitlab go golang gorm gradle grafana
    graphql grpc gulp haskell helm heroku hibernate homebrew httpx ios java javascript jenkins
    jest jira jpa jquery junit jupyter kafka keras kotlin kubectl kubernetes laravel linux
    lodash lua macos makefile mariadb maven metabase mocha mongo mongodb mypy mysql nestjs
    netlify next nextjs nginx node nodejs npm numpy nuget nuxt nvidia openapi openai oracle
    pandas perl php phpstan playwright pnpm podman polars poetry postcss postgres postgresql
    prettier prisma prometheus puppeteer pydantic pylint pytest python pytorch qt rabbitmq
    rails react redis redux resolve riverpod rollup rspec rubocop ruby ruff rust safari scala
    scikit selenium sentry shell sidekiq sklearn slack solid spark spring springboot sqlite
    storybook stripe supabase svelte swift swiftui symfony tailwind taro tensorflow terraform
    torch turbo typescript ubuntu unity unreal uv vercel vim vite vitest vscode vue webpack
    windows xcode xgboost yarn zig zustand
    アンドロイド ユニティ 小程序 微信 유니티 안드로이드
    """


@cache
def common_words() -> frozenset[str]:
    """Return the words that every project has; they are read when first asked for."""
    trade = " ".join(_TRADE).replace("|", " ").replace("*", "")
    return content_words(f"{_COMMON_TEXT} {trade}") | tool_words()


@cache
def tool_words() -> frozenset[str]:
    """Return what projects are built with: however often it comes up, it is no theme."""
    return content_words(_TOOLS_TEXT)


def trade_words(heard: FoldedText) -> frozenset[int]:
    """Return of which things of the trade a text speaks, whatever its language."""
    return frozenset(i for i, book in enumerate(_BOOKS) if book.find(heard))
